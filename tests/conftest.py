"""Settings for all tests."""

from hypothesis import settings

# A busy machine must not make a test fail, so no example has a deadline.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

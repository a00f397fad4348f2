"""The source systems' experiments: each measures in steps and reports beside what its source reported."""

__all__: list[str] = []

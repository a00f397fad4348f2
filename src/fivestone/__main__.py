from fivestone.cli import main

main()

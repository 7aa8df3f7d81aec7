"""`./dev bench storage`: both metadata stores at growing sizes, and both blob stores."""

import argparse

from benchmarks import blobs, metadata


def main() -> None:
    parser = argparse.ArgumentParser(prog="./dev bench storage", description=__doc__)
    parser.add_argument("--only", choices=["metadata", "blobs"], help="run one half")
    parser.add_argument("--huge", action="store_true", help="also 10,000,000 objects in the account (takes long)")
    parser.add_argument(
        "--quick", action="store_true", help="10,000 and 100,000 objects, and small blobs, for a first look"
    )
    options = parser.parse_args()
    sizes = [10_000, 100_000] if options.quick else [10_000, 100_000, 1_000_000]
    if options.huge:
        sizes.append(10_000_000)
    if options.only != "blobs":
        metadata.run(sizes)
    if options.only != "metadata":
        blobs.run(quick=options.quick)


if __name__ == "__main__":
    main()

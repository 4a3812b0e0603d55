"""The local stack: everything `make run`, the tests and the benchmarks start by themselves."""

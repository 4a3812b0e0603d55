"""The life of memories: told, learned, superseded, ended and asked for, in English and Chinese; a set of our own.

Nothing in it is taken from elsewhere. benchmarks/data/lifecycle: the stories and questions by hand; talk.json, the
small talk around them, put together by chance from pieces written by hand.
"""

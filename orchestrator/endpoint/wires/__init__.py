"""The APIs of models: each reads a request into a turn, and writes a step as an answer, whole or as a stream."""

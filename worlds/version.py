"""The version of the project and of what it keeps."""

VERSION = "0.1.0"
RUN_FORMAT = 3

"""The ways to reach a server: in memory, over stdio, over streamable HTTP. Both protocol eras over each."""

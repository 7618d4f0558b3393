"""The guard: a gateway in front of MCP servers that holds the acts which the owner's consent does not cover.

`rules` say as data which call does which act; `policy` judges an act against the consent (pure); `gateway` stands
between agent and servers and passes everything else through; `town` puts it in front of a session of the town.
"""

"""The criteria that a goal is written in, by subject; `graders.town.criteria` names them."""

"""The consumer town: what is true of an owner, their people and the businesses they deal with, minute by minute."""

"""How well recall finds what a question needs, measured through HTTP on a public set of conversations."""

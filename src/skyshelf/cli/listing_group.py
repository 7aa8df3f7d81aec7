"""A group of commands about one noun, which lists its things where nobody says what to do with them."""

import click


class ListingGroup(click.Group):
    """`skyshelf boards` is `skyshelf boards ls`, with the same options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        asks_for_help = any(one in self.get_help_option_names(ctx) for one in args[:1])
        if not asks_for_help and (not args or args[0].startswith("-")):
            args = ["ls", *args]
        return super().parse_args(ctx, args)

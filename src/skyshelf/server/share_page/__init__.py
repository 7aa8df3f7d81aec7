"""The public page of a share: templates, one style sheet, and how they become answers. It needs no JavaScript."""

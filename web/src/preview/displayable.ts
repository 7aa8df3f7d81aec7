// Pictures that browsers show as they are; the server makes JPEGs of all others.
import type { Item } from '../files/item';

const DISPLAYABLE = new Set(
  ['jpeg', 'jpg', 'pjpeg', 'png', 'webp', 'gif', 'avif', 'svg+xml', 'bmp'].map((type) => `image/${type}`),
);

export function isDisplayable(item: Item): boolean {
  return DISPLAYABLE.has(item.mime);
}

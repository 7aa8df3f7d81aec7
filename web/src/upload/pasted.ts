// A picture from the clipboard is always called image.png; it gets a name that tells when it was pasted.
import { t } from '../words';

const NAMELESS = /^image\.(png|jpe?g|gif|webp|bmp)$/;

export function withGivenName(file: File, now = new Date()): File {
  const ending = NAMELESS.exec(file.name)?.[1];
  if (!ending) return file;
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.');
  const name = `${t('upload.pasted-name', { time: `${day} ${time}` })}.${ending}`;
  return new File([file], name, { type: file.type, lastModified: now.getTime() });
}

// Browsers name pictures from the clipboard image.png; they are renamed to the time they were pasted.
import { t } from '../words';

const GENERIC_NAME = /^image\.(png|jpe?g|gif|webp|bmp)$/;

export function nameForPasted(file: File, now = new Date()): File {
  const extension = GENERIC_NAME.exec(file.name)?.[1];
  if (!extension) return file;
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('.');
  const name = `${t('upload.pasted-name', { time: `${day} ${time}` })}.${extension}`;
  return new File([file], name, { type: file.type, lastModified: now.getTime() });
}

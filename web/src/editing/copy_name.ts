/** The name for the user's copy, next to the file that somebody else has saved. */
export function copyName(name: string, now: Date): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${stem} (${day} ${two(now.getHours())}.${two(now.getMinutes())}.${two(now.getSeconds())})${ending}`;
}

declare module 'virtual:cities' {
  const url: string;
  export default url;
}
declare module 'geokdbush' {
  import type KDBush from 'kdbush';
  export function around(index: KDBush, longitude: number, latitude: number, most?: number, km?: number): number[];
  export function distance(longitude: number, latitude: number, otherLongitude: number, otherLatitude: number): number;
}

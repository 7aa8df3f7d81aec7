// The world as a map without tiles: coasts and borders of Natural Earth in the projection of web maps. The world is a
// square of 256 units, north at the top.
import { geoMercator, geoPath } from 'd3-geo';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import url from 'world-atlas/countries-50m.json?url';
import type { Coordinates } from './photo';

export const WORLD = 256;
const MAX_LATITUDE = 85;

export interface World {
  readonly land: Path2D;
  readonly borders: Path2D;
}

let loading: Promise<World> | undefined;

export function loadWorld(): Promise<World> {
  loading ??= load();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function load(): Promise<World> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`map: ${answer.status}`);
  const atlas = (await answer.json()) as Topology<{ countries: GeometryCollection; land: GeometryCollection }>;
  const projection = geoMercator()
    .scale(WORLD / (2 * Math.PI))
    .translate([WORLD / 2, WORLD / 2]);
  const draw = geoPath(projection);
  return {
    land: new Path2D(draw(feature(atlas, atlas.objects.land)) ?? ''),
    borders: new Path2D(draw(mesh(atlas, atlas.objects.countries, (one, other) => one !== other)) ?? ''),
  };
}

export function project({ latitude, longitude }: Coordinates): { x: number; y: number } {
  const bounded = Math.min(MAX_LATITUDE, Math.max(-MAX_LATITUDE, latitude));
  const y = Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360));
  return { x: ((longitude + 180) / 360) * WORLD, y: (0.5 - y / (2 * Math.PI)) * WORLD };
}

export function unproject(x: number, y: number): Coordinates {
  const latitude = (Math.atan(Math.exp((0.5 - y / WORLD) * 2 * Math.PI)) * 360) / Math.PI - 90;
  return { latitude, longitude: (x / WORLD) * 360 - 180 };
}

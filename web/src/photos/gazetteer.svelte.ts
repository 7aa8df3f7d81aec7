// Names of places, from a file with the world's cities that is loaded when the first picture with a place is shown.
// Nothing is asked of other hosts.
import type KDBush from 'kdbush';
import { region } from '../words';
import type { Coordinates } from './photo';

const MAX_KM = 40;
const CANDIDATES = 60;
/** Places within this distance of its centre count as in the city. */
const NEAR_KM = 8;

export interface Place {
  readonly city: string;
  readonly country: string;
}

interface Cities {
  readonly names: readonly string[];
  readonly countries: string;
  readonly people: readonly number[];
  readonly longitudes: readonly number[];
  readonly latitudes: readonly number[];
  readonly index: KDBush;
  readonly around: typeof import('geokdbush').around;
  readonly distance: typeof import('geokdbush').distance;
}

let cities = $state.raw<Cities | null>(null);
let loading: Promise<void> | undefined;
const known = new Map<string, Place | null>();

/** The city at a place; null where none is near, or while the cities are loading: then it is asked again. */
export function placeAt(coordinates: Coordinates | null): Place | null {
  if (!coordinates) return null;
  if (!cities) {
    loading ??= load().catch(() => {
      // Without names the pictures are shown all the same.
      loading = undefined;
    });
    return null;
  }
  const { latitude, longitude } = coordinates;
  const name = `${latitude.toFixed(2)} ${longitude.toFixed(2)}`;
  let place = known.get(name);
  if (place === undefined) known.set(name, (place = find(cities, coordinates)));
  return place;
}

/** `Lisbon, Portugal`. */
export function placeName({ city, country }: Place): string {
  const names = new Intl.DisplayNames(region, { type: 'region', fallback: 'none' });
  const land = names.of(country);
  return land ? `${city}, ${land}` : city;
}

/** The city that most pictures were taken in; null if that is less than half of those with a place. */
export function commonPlace(coordinates: readonly (Coordinates | null)[]): Place | null {
  const counts = new Map<string, [number, Place]>();
  let located = 0;
  for (const one of coordinates) {
    const place = placeAt(one);
    if (one) located += 1;
    if (place) counts.set(place.city, [(counts.get(place.city)?.[0] ?? 0) + 1, place]);
  }
  const [most] = [...counts.values()].sort(([one], [other]) => other - one);
  return most && most[0] * 2 >= located ? most[1] : null;
}

/** The city whose size best makes up for its distance: a suburb counts as the city. */
function find({ index, around, distance, people, names, countries, longitudes, latitudes }: Cities, at: Coordinates) {
  let best = -1;
  let bestPull = 0;
  for (const city of around(index, at.longitude, at.latitude, CANDIDATES, MAX_KM)) {
    const km = distance(at.longitude, at.latitude, longitudes[city]! / 100, latitudes[city]! / 100);
    const pull = people[city]! / (km + NEAR_KM) ** 2;
    if (pull > bestPull) [best, bestPull] = [city, pull];
  }
  return best < 0 ? null : { city: names[best]!, country: countries.slice(best * 2, best * 2 + 2) };
}

async function load(): Promise<void> {
  const [{ default: url }, { default: Index }, { around, distance }] = await Promise.all([
    import('virtual:cities'),
    import('kdbush'),
    import('geokdbush'),
  ]);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cities: ${answer.status}`);
  const [names, countries, people, longitudes, latitudes] = (await answer.json()) as [
    string,
    string,
    number[],
    number[],
    number[],
  ];
  const index = new Index(people.length);
  people.forEach((_, city) => index.add(longitudes[city]! / 100, latitudes[city]! / 100));
  index.finish();
  cities = { names: names.split('\n'), countries, people, longitudes, latitudes, index, around, distance };
}

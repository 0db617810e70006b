/** Names, streets and companies by country, for plausible demo data. */
type Country = {
  house: string
  phone: string
  firstNames: readonly string[]
  lastNames: readonly string[]
  companies: readonly string[]
  streets: readonly string[]
}

const german: Omit<Country, 'phone'> = {
  house: 'Haus',
  firstNames: ['Anna', 'Clara', 'Greta', 'Hugo', 'Jonas', 'Katja', 'Lena', 'Lukas', 'Rosa', 'Viktor'],
  lastNames: ['Albrecht', 'Fischer', 'Hofmann', 'Huber', 'Jansen', 'Keller', 'Lang', 'Novak', 'Petersen', 'Weber'],
  companies: ['Alpenmilch', 'Zentralbäckerei', 'Delta Logistik', 'Hotel Meridian', 'Sägewerk Lärche', 'Parkhaus Nord'],
  streets: ['Birkenweg', 'Hafenstraße', 'Mühlgasse', 'Bahnhofstraße', 'Sonnenhang'],
}
const russian: Omit<Country, 'phone'> = {
  house: 'Дом',
  firstNames: ['Анна', 'Борис', 'Дарья', 'Егор', 'Жанна', 'Игорь', 'Лариса', 'Михаил', 'Наталья', 'Юрий'],
  lastNames: ['Бойко', 'Вороненко', 'Гринь', 'Ершова', 'Зайченко', 'Ким', 'Лысенко', 'Сорока', 'Фоменко', 'Шмидт'],
  companies: ['Агрохолдинг «Луч»', 'Гостиница «Берег»', 'Пекарня «Колос»', 'Склад «Восток»', 'Тепличный комплекс «Юг»'],
  streets: ['улица Лесная', 'улица Мира', 'Садовая улица', 'Заречная улица', 'Школьная улица'],
}

export const countries = {
  DE: { ...german, phone: '+49151' },
  AT: { ...german, phone: '+43664' },
  EE: {
    house: 'Maja',
    phone: '+3725',
    firstNames: ['Anu', 'Jaan', 'Kadri', 'Liis', 'Mart', 'Peeter', 'Rasmus', 'Tiina'],
    lastNames: ['Kask', 'Lepik', 'Mägi', 'Pärn', 'Saar', 'Sepp', 'Tamm', 'Vaher'],
    companies: ['Balti Külmladu', 'Päikese Talu', 'Jõe Pruulikoda', 'Põhja Parkla'],
    streets: ['Kase tänav', 'Sadama tänav', 'Veski tänav', 'Jaama tänav'],
  },
  KZ: { ...russian, house: 'Үй', phone: '+7701' },
  RU: { ...russian, phone: '+7916' },
} as const satisfies Record<string, Country>

export type Place = {
  city: string
  country: keyof typeof countries
  region: string
  timezone: string
  lat: number
  lon: number
}
export const places: readonly Place[] = [
  { city: 'Berlin', country: 'DE', region: 'Berlin', timezone: 'Europe/Berlin', lat: 52.52, lon: 13.4 },
  { city: 'Freiburg', country: 'DE', region: 'Baden-Württemberg', timezone: 'Europe/Berlin', lat: 47.99, lon: 7.85 },
  { city: 'Tallinn', country: 'EE', region: 'Harju', timezone: 'Europe/Tallinn', lat: 59.44, lon: 24.75 },
  { city: 'Wien', country: 'AT', region: 'Wien', timezone: 'Europe/Vienna', lat: 48.21, lon: 16.37 },
  { city: 'Алматы', country: 'KZ', region: 'Алматы', timezone: 'Asia/Almaty', lat: 43.24, lon: 76.89 },
  { city: 'Москва', country: 'RU', region: 'Москва', timezone: 'Europe/Moscow', lat: 55.75, lon: 37.62 },
  { city: 'Краснодар', country: 'RU', region: 'Краснодарский край', timezone: 'Europe/Moscow', lat: 45.04, lon: 38.98 },
  {
    city: 'Екатеринбург',
    country: 'RU',
    region: 'Свердловская область',
    timezone: 'Asia/Yekaterinburg',
    lat: 56.84,
    lon: 60.61,
  },
]

/** Where a client lives; undefined of one who has no address in the demo. */
export const placeOf = (city: unknown): Place | undefined => places.find((place) => place.city === city)

/** One of a list by a number from 0 up to 1. */
export const among = <T>(list: readonly T[], share: number): T | undefined => list[Math.floor(share * list.length)]

export type Model = {
  model: string
  manufacturer: string
  profile: 'HOME' | 'COMMERCIAL'
  chemistry: string
  energyWh: number
  powerW: number
  ah: number
  cells: number
  strings: number
  modules: number
  pvW: number
  phases: number
  gridW: number
}
/** Home systems of 10 to 15 kWh and commercial cabinets of 107 to 430 kWh. */
export const models: readonly Model[] = [
  {
    model: 'Hearth 10',
    manufacturer: 'Voltern',
    profile: 'HOME',
    chemistry: 'LFP',
    energyWh: 10_240,
    powerW: 5_000,
    ah: 200,
    cells: 16,
    strings: 1,
    modules: 1,
    pvW: 6_000,
    phases: 1,
    gridW: 11_000,
  },
  {
    model: 'Hearth 15',
    manufacturer: 'Voltern',
    profile: 'HOME',
    chemistry: 'LFP',
    energyWh: 15_360,
    powerW: 7_500,
    ah: 300,
    cells: 16,
    strings: 1,
    modules: 3,
    pvW: 9_000,
    phases: 3,
    gridW: 17_000,
  },
  {
    model: 'Nest 12',
    manufacturer: 'Akkord',
    profile: 'HOME',
    chemistry: 'NMC',
    energyWh: 12_000,
    powerW: 6_000,
    ah: 240,
    cells: 14,
    strings: 1,
    modules: 2,
    pvW: 8_000,
    phases: 3,
    gridW: 15_000,
  },
  {
    model: 'Block 107',
    manufacturer: 'Akkord',
    profile: 'COMMERCIAL',
    chemistry: 'LFP',
    energyWh: 107_000,
    powerW: 50_000,
    ah: 140,
    cells: 240,
    strings: 1,
    modules: 15,
    pvW: 80_000,
    phases: 3,
    gridW: 120_000,
  },
  {
    model: 'Block 215',
    manufacturer: 'Akkord',
    profile: 'COMMERCIAL',
    chemistry: 'LFP',
    energyWh: 215_000,
    powerW: 100_000,
    ah: 280,
    cells: 240,
    strings: 1,
    modules: 15,
    pvW: 150_000,
    phases: 3,
    gridW: 200_000,
  },
  {
    model: 'Depot 430',
    manufacturer: 'Voltern',
    profile: 'COMMERCIAL',
    chemistry: 'LFP',
    energyWh: 430_000,
    powerW: 200_000,
    ah: 560,
    cells: 240,
    strings: 2,
    modules: 30,
    pvW: 300_000,
    phases: 3,
    gridW: 400_000,
  },
]

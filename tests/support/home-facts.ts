/** A home system with what the API needs of one, but its code and name. */
export const homeFacts = {
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_000,
  ratedChargePowerW: 5_000,
  ratedDischargePowerW: 5_000,
  location: { timezone: 'Europe/Berlin' },
}

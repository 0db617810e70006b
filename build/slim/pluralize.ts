const same = (word: string): string => word

export default { plural: same, singular: same }

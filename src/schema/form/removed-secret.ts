/** Form value of a stored secret that is to be removed. Empty keeps it, since no form knows the stored value. */
export const removedSecret = false

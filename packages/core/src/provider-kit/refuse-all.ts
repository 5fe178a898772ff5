/** The `authorize` of a `Credentials()` that was given none. It's recognized by identity. */
export const refuseAll = (): null => null

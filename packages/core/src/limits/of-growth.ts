// What grows with use has a maximum that no real user reaches. Beyond, the oldest ends, or the new one is refused.

/** Sessions of a user. Beyond: those that expire first end. */
export const maxSessions = 100
/** Passkeys of a user. Beyond: no new one can be started. Those that were started before are few, because of the rate limit. */
export const maxPasskeys = 100
/** Accounts at providers that are linked to a user. Beyond: a new one is refused. */
export const maxAccounts = 100
/** Sessions, passkeys or accounts that one page lists. */
export const maxListed = 100

/** What has to hold after every step, whatever the configuration and whatever the attackers did. */
export const invariants = {
  "session-proven": "A browser has a session only for a user who proved in that browser to be them.",
  "account-consent": "An account is linked only to the user it belongs to, and only by that user.",
  "identity-fixed": "Data that a browser sends never changes who a session belongs to, or how long it lasts.",
  "not-forged": "A page of another site can't sign a user in or out, or change a session.",
  "used-once": "No code, state, link, challenge or form token works a second time.",
  "session-ended": "A session that its user ended, or that was revoked, is over in every copy and on every reader.",
  "secret-not-logged": "No secret in flight is in the log, in any encoding.",
  "secret-not-shown": "No secret in flight is on a page, or in the URL of a redirect to another site.",
  "cookie-scoped": "Cookies have the prefix, path, flags, number and size that keep them on this host.",
  "not-cacheable": "A shared cache may store no response that sets a cookie or shows a session.",
  "redirect-allowed": "Redirects lead to the site, to its providers, or to configured origins.",
  "no-server-error": "A visitor can't cause a status of 500 or above.",
  "work-bounded": "The work for one request, in calls and bytes, has a limit that the visitor can't raise.",
  "memory-bounded": "The memory of a process has a limit that visitors can't raise.",
  "limit-counted": "Guesses are counted, whatever the spelling, address, mount point or configuration object.",
  "owner-admitted": "Attempts of others never keep a user out on a known device.",
  "parameters-kept": "Configured parameters reach the provider unchanged, and the response is checked against them.",
} as const

export type InvariantId = keyof typeof invariants

import type { Check } from "./check.js"
import { cookieScoped } from "./cookie-scoped.js"
import { identityFixed } from "./identity-fixed.js"
import { limitCounted } from "./limit-counted.js"
import { parametersKept } from "./parameters-kept.js"
import { noServerError, notCacheable, redirectAllowed } from "./responses.js"
import { secretNotLogged, secretNotShown } from "./secrets.js"
import { sessionProven } from "./session-proven.js"
import { workBounded } from "./work-bounded.js"

/** The session is read last: its requests belong to the step too, and the next checks see them. */
export const checks: readonly Check[] = [
  sessionProven,
  identityFixed,
  parametersKept,
  limitCounted,
  cookieScoped,
  redirectAllowed,
  noServerError,
  notCacheable,
  secretNotLogged,
  secretNotShown,
  workBounded,
]

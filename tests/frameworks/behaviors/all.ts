import { access } from "./access.js"
import { attacks } from "./attacks.js"
import { below } from "./below.js"
import { browser } from "./browser.js"
import { failures } from "./failures.js"
import { secondFactor } from "./second-factor.js"
import { session } from "./session.js"
import { signIn } from "./sign-in.js"
import { urls } from "./urls.js"

/** All behaviors, in the order of docs/evidence/frameworks.md. */
export const behaviors = [
  ...signIn,
  ...secondFactor,
  ...session,
  ...access,
  ...urls,
  ...below,
  ...attacks,
  ...failures,
  ...browser,
] as const

export type BehaviorId = (typeof behaviors)[number]["id"]

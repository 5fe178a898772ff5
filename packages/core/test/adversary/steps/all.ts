import fc from "fast-check"
import { abandoned, federated } from "./federated.js"
import { askForLink, openLink, typeCode } from "./mail.js"
import { passkeys } from "./passkeys.js"
import { password } from "./password.js"
import { replay } from "./replay.js"
import { openPage, read, signOut, wait } from "./session.js"
import type { Step } from "./step.js"
import { copyCookies, useCopies } from "./thief.js"

const users = fc.oneof(
  password,
  federated,
  abandoned,
  askForLink,
  openLink,
  typeCode,
  passkeys,
  signOut,
  read,
  wait,
  openPage,
)
const attackers = fc.oneof(copyCookies, useCopies, replay)

export const anyStep: fc.Arbitrary<Step> = fc.oneof(users, attackers)

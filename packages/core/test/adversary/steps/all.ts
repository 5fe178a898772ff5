import fc from "fast-check"
import { attackersCode } from "./attackers-code.js"
import { doubtfulToken } from "./doubtful.js"
import { outlive, readElsewhere } from "./elsewhere.js"
import { failingDatabase, failingMail } from "./failures.js"
import { abandoned, federated } from "./federated.js"
import { forgedForm } from "./forged-forms.js"
import { floodMailbox, guessCode, guessPasswords } from "./guess.js"
import { forgedHeaders } from "./headers.js"
import { injectedCode } from "./injected-code.js"
import { lockOut } from "./lock-out.js"
import { askForLink, openLink, typeCode } from "./mail.js"
import { endAllSessions, switchToStrict } from "./operator.js"
import { oversized } from "./oversized.js"
import { passkeys } from "./passkeys.js"
import { password } from "./password.js"
import { plantGarbage, plantOwnCookies } from "./planting.js"
import { foreignPreview } from "./preview.js"
import { repeatedParams } from "./repeated.js"
import { replay } from "./replay.js"
import { requestedParams } from "./requested-params.js"
import { lie } from "./rogue.js"
import { openPage, read, signOut, wait } from "./session.js"
import type { Step } from "./step.js"
import { copyCookies, useCopies } from "./thief.js"
import { update } from "./update.js"

const users = [
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
] as const

const otherSites = [plantOwnCookies, plantGarbage, forgedForm, attackersCode] as const
const network = [forgedHeaders, replay, copyCookies, useCopies, readElsewhere, outlive] as const
const provider = [lie, doubtfulToken, repeatedParams, injectedCode, requestedParams, foreignPreview] as const
const visitor = [update, guessPasswords, guessCode, floodMailbox, lockOut, oversized] as const
const accidents = [failingDatabase, failingMail, switchToStrict, endAllSessions] as const

/** Half of the steps are those of users, so that there is something to attack. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.oneof(...users) },
  { weight: 3, arbitrary: fc.oneof(...otherSites) },
  { weight: 2, arbitrary: fc.oneof(...network) },
  { weight: 3, arbitrary: fc.oneof(...provider) },
  { weight: 3, arbitrary: fc.oneof(...visitor) },
  { weight: 1, arbitrary: fc.oneof(...accidents) },
)

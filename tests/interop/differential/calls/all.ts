import { createActionURL } from "./action-url.js"
import { errors } from "./errors.js"
import { providers } from "./providers.js"
import { setEnvDefaults } from "./set-env-defaults.js"
import type { Subject } from "./subject.js"
import { isAuthAction, isDate } from "./texts.js"
import { decode, encode, getToken } from "./tokens.js"

/** The functions that both libraries export and an application can call by itself. */
export const subjects: readonly Subject[] = [
  createActionURL,
  setEnvDefaults,
  isAuthAction,
  isDate,
  encode,
  decode,
  getToken,
  errors,
  providers,
]

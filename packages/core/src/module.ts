export { equal, sha256, toBase64Url, toHex } from "./crypto/digest.js"
export { companionCookie } from "./module-kit/companion.js"
export { defineModule, route } from "./module-kit/define.js"
export { type Field, flag, instant, integer, list, owner, record, sealed, text } from "./module-kit/fields.js"
export type { RecordType, RecordTypes, Value } from "./module-kit/fields.js"
export type { CaptchaAction } from "./model/captcha.js"
export type {
  Block,
  FactorForm,
  ModuleMail,
  ModulePage,
  PageBlock,
  PasskeyBlock,
  PasskeyButton,
  Section,
} from "./model/module-content.js"
export type {
  EndSessionsOptions,
  ModuleContext,
  OpenIdProvider,
  RequestContext,
  Route,
  RouteOptions,
  Users,
} from "./module-kit/context.js"
export type {
  CompanionCookie,
  Module,
  ModuleLimit,
  ModuleParts,
  ModuleProvider,
  RunningRoute,
  Texts,
  TypedFields,
  Factor,
  StepUpPart,
} from "./module-kit/model.js"
export type {
  CompletedSignIn,
  Leave,
  ModuleUser,
  Owner,
  SignInAttempt,
  SignInFacts,
  SignOutFacts,
  StepUpQuestion,
  Verdict,
} from "./module-kit/phases.js"
export { type NewUser, type Outcome, type Proven, proven } from "./module-kit/proven.js"
export type { Asserted, OwnPasskey, PasskeyQuestion, Passkeys } from "./module-kit/passkeys.js"
export type { Members } from "./module-kit/members.js"
export type { Found, Records, RecordsOf, WriteOptions } from "./module-kit/record-types.js"

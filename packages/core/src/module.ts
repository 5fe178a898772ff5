export { defineModule, route } from "./module/define.js"
export { type Field, flag, instant, integer, list, owner, record, sealed, text } from "./module/fields.js"
export type { RecordType, RecordTypes, Value } from "./module/fields.js"
export type {
  Block,
  CompletedSignIn,
  Factor,
  FactorForm,
  Module,
  ModuleContext,
  ModuleMail,
  ModulePage,
  ModuleParts,
  ModuleProvider,
  ModuleUser,
  Owner,
  RequestContext,
  Route,
  RouteOptions,
  Section,
  SignInAttempt,
  Texts,
  TypedFields,
  Verdict,
} from "./module/model.js"
export type { Members } from "./module/members.js"
export type { Found, Records, RecordsOf, WriteOptions } from "./module/records.js"

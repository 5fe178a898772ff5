export { openBrowser } from "./browser/browser.js"
export type { PageForm } from "./browser/forms.js"
export type { CookieJar, CookieUse, JarCookie } from "./browser/jar.js"
export { createJar } from "./browser/jar.js"
export type { Browser, BrowserOptions, FetchOptions, Fields, SignInWith, Visit } from "./browser/model.js"
export type { Duration, FrozenClock } from "./clock.js"
export { frozenClock } from "./clock.js"
export type { Inbox, InboxOptions, Message, SmtpFault } from "./inbox.js"
export { openInbox } from "./inbox.js"
export type { Fault, Refusal } from "./faults/fault.js"
export type { Hang, FaultName } from "./faults/faults.js"
export { hang, faults } from "./faults/faults.js"
export type { CapturedLog, LogEntry } from "./log.js"
export { captureLog } from "./log.js"
export type { Answer, RecordedRequest, UnsignedToken } from "./provider/messages.js"
export type { EndpointName } from "./provider/messages.js"
export type {
  AuthorizationAnswer,
  ClientAuthentication,
  Consent,
  FakeProvider,
  Listening,
  LogoutSubject,
  People,
  Person,
  ProviderOptions,
  SigningAlgorithm,
} from "./provider/model.js"
export { createProvider } from "./provider/provider.js"
export type { VisitOptions } from "./visit.js"
export { visit } from "./visit.js"

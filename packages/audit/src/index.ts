export { audit } from "./audit.js"
export type { AuditActor, AuditEntry, AuditRequest, AuditSubject } from "./entry.js"
export type { AuditOptions, AuditServer, AuditSink, Flushed } from "./options.js"

export { anonymous } from "./anonymous.js"
export type { AnonymousOptions, AnonymousServer, Swept, SweepOptions, Upgrade } from "./options.js"

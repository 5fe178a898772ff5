export { phone } from "./phone.js"
export type { PhoneMessage, PhoneOptions, PhoneServer } from "./options.js"

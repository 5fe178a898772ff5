export { password } from "./password.js"
export type { Argon2Library, IsBreached, PasswordOptions, PasswordServer, Pepper } from "./options.js"

export { password } from "./password.js"
export type {
  Argon2Library,
  BcryptLibrary,
  IsBreached,
  PasswordOptions,
  PasswordServer,
  Pepper,
  SignUpField,
} from "./options.js"

export { password } from "./password.js"
export type {
  Argon2Library,
  BcryptLibrary,
  IsBreached,
  PasswordOptions,
  PasswordServer,
  Pepper,
  SignUpField,
  SignUpFields,
} from "./options.js"

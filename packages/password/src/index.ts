export { password } from "./password.js"
export type {
  Argon2Library,
  BcryptLibrary,
  ImportOptions,
  IsBreached,
  PasswordOptions,
  PasswordServer,
  Pepper,
  SignUpField,
} from "./options.js"

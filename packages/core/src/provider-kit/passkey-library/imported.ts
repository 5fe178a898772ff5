export { importPasskeyLibrary as loadPasskeyLibrary } from "./import.js"

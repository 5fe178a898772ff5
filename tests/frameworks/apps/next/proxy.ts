export { auth as proxy } from "./auth"

export { authConfig } from "../../../app/auth.config.js"

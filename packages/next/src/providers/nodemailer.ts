export * from "@latchkey/core/providers/nodemailer"
export { default } from "@latchkey/core/providers/nodemailer"

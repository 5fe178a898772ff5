export * from "@latchkey/core/jwt"

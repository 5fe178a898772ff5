export * from "@latchkey/core/providers/ory-hydra"
export { default } from "@latchkey/core/providers/ory-hydra"

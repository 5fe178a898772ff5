/** Express 4 has no types of its own. The parts that the tests use have the types of Express 5. */
declare module "express4" {
  export { default } from "express"
}

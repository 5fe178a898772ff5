import { filesIn } from "./files.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "hono-lambda",
  name: "Hono",
  major: 4,
  variant: "on AWS Lambda",
  versions: ["hono"],
  example: "hono",
  start: ["node", "src/lambda.ts"],
  ownServer:
    "it calls the handler of `hono/aws-lambda` with events in the payload format 2.0 of API Gateway, instead of AWS",
  files: filesIn("apps/hono-lambda"),
  pages: false,
  client: false,
})

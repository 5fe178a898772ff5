import { LatchkeyModule, SessionGuard } from "@latchkey/nestjs"
import { Module } from "@nestjs/common"
import { APP_GUARD } from "@nestjs/core"
import { authConfig } from "./auth.config.js"

// Sessions have the type that the `session` callback returns.
declare module "@latchkey/nestjs" {
  interface Register {
    config: typeof authConfig
  }
}

/** Adds the auth routes, and protects every handler that isn't public. */
@Module({
  imports: [LatchkeyModule.forRoot(authConfig)],
  providers: [{ provide: APP_GUARD, useClass: SessionGuard }],
})
export class AuthModule {}

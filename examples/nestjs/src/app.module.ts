import { Module } from "@nestjs/common"
import { AuthModule } from "./auth.js"
import { PagesController } from "./pages.controller.js"

@Module({ imports: [AuthModule], controllers: [PagesController] })
export class AppModule {}

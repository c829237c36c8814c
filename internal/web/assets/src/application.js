import "@hotwired/turbo"
import { Application } from "@hotwired/stimulus"
import "./lib/stream_source.js"
import { connection } from "./lib/cable.js"
import { loadEditorWhereNeeded } from "./lib/editor_loader.js"
import { openMenusByLongPress } from "./lib/long_press.js"
import { followKeyboard } from "./lib/viewport.js"

import Autocomplete from "./controllers/autocomplete_controller.js"
import BadgeDot from "./controllers/badge_dot_controller.js"
import BoostDelete from "./controllers/boost_delete_controller.js"
import Composer from "./controllers/composer_controller.js"
import CopyToClipboard from "./controllers/copy_to_clipboard_controller.js"
import Filter from "./controllers/filter_controller.js"
import Flash from "./controllers/flash_controller.js"
import Form from "./controllers/form_controller.js"
import LocalTime from "./controllers/local_time_controller.js"
import Messages from "./controllers/messages_controller.js"
import Popup from "./controllers/popup_controller.js"
import Presence from "./controllers/presence_controller.js"
import RefreshRoom from "./controllers/refresh_room_controller.js"
import Reply from "./controllers/reply_controller.js"
import RoomType from "./controllers/room_type_controller.js"
import RoomsList from "./controllers/rooms_list_controller.js"
import SearchResults from "./controllers/search_results_controller.js"
import SoftKeyboard from "./controllers/soft_keyboard_controller.js"
import SortedList from "./controllers/sorted_list_controller.js"
import ToggleClass from "./controllers/toggle_class_controller.js"
import TypingNotifications from "./controllers/typing_notifications_controller.js"

for (const event of ["turbo:load", "turbo:frame-load", "turbo:render"]) document.addEventListener(event, loadEditorWhereNeeded)
document.addEventListener("turbo:load", () => connection.start())
connection.start()
loadEditorWhereNeeded()
openMenusByLongPress()
followKeyboard()

const application = Application.start()
application.register("autocomplete", Autocomplete)
application.register("badge-dot", BadgeDot)
application.register("boost-delete", BoostDelete)
application.register("composer", Composer)
application.register("copy-to-clipboard", CopyToClipboard)
application.register("filter", Filter)
application.register("flash", Flash)
application.register("form", Form)
application.register("local-time", LocalTime)
application.register("messages", Messages)
application.register("popup", Popup)
application.register("presence", Presence)
application.register("refresh-room", RefreshRoom)
application.register("reply", Reply)
application.register("room-type", RoomType)
application.register("rooms-list", RoomsList)
application.register("search-results", SearchResults)
application.register("soft-keyboard", SoftKeyboard)
application.register("sorted-list", SortedList)
application.register("toggle-class", ToggleClass)
application.register("typing-notifications", TypingNotifications)

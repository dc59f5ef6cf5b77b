package com.google.firebase.messaging

class RemoteMessage(val data: Map<String, String>, val messageId: String?)

open class FirebaseMessagingService {
    open fun onMessageReceived(message: RemoteMessage) {}
}

extension ShippedMap {
  /// The enriched event as Snowplow's loaders and streams write it: 131 columns between tabs, without a header.
  static let snowplow = ShippedMap(
    "snowplow", "Snowplow: enriched events between tabs",
    #"""
    # Snowplow: enriched events (TSV of 131 columns without a header).
    # Updates over the air are told by self-describing events of your own with a member "release": put their names into
    # the list. What the mobile trackers report by themselves says when the app came from the store.
    about = "Snowplow: enriched events between tabs"
    format = "tsv"
    columns = [
      "app_id", "platform", "etl_tstamp", "collector_tstamp", "dvce_created_tstamp", "event", "event_id", "txn_id",
      "name_tracker", "v_tracker", "v_collector", "v_etl", "user_id", "user_ipaddress", "user_fingerprint",
      "domain_userid", "domain_sessionidx", "network_userid", "geo_country", "geo_region", "geo_city", "geo_zipcode",
      "geo_latitude", "geo_longitude", "geo_region_name", "ip_isp", "ip_organization", "ip_domain", "ip_netspeed",
      "page_url", "page_title", "page_referrer", "page_urlscheme", "page_urlhost", "page_urlport", "page_urlpath",
      "page_urlquery", "page_urlfragment", "refr_urlscheme", "refr_urlhost", "refr_urlport", "refr_urlpath",
      "refr_urlquery", "refr_urlfragment", "refr_medium", "refr_source", "refr_term", "mkt_medium", "mkt_source",
      "mkt_term", "mkt_content", "mkt_campaign", "contexts", "se_category", "se_action", "se_label", "se_property",
      "se_value", "unstruct_event", "tr_orderid", "tr_affiliation", "tr_total", "tr_tax", "tr_shipping", "tr_city",
      "tr_state", "tr_country", "ti_orderid", "ti_sku", "ti_name", "ti_category", "ti_price", "ti_quantity",
      "pp_xoffset_min", "pp_xoffset_max", "pp_yoffset_min", "pp_yoffset_max", "useragent", "br_name", "br_family",
      "br_version", "br_type", "br_renderengine", "br_lang", "br_features_pdf", "br_features_flash",
      "br_features_java", "br_features_director", "br_features_quicktime", "br_features_realplayer",
      "br_features_windowsmedia", "br_features_gears", "br_features_silverlight", "br_cookies", "br_colordepth",
      "br_viewwidth", "br_viewheight", "os_name", "os_family", "os_manufacturer", "os_timezone", "dvce_type",
      "dvce_ismobile", "dvce_screenwidth", "dvce_screenheight", "doc_charset", "doc_width", "doc_height",
      "tr_currency", "tr_total_base", "tr_tax_base", "tr_shipping_base", "ti_currency", "ti_price_base",
      "base_currency", "geo_timezone", "mkt_clickid", "mkt_network", "etl_tags", "dvce_sent_tstamp",
      "refr_domain_userid", "refr_device_tstamp", "derived_contexts", "domain_sessionid", "derived_tstamp",
      "event_vendor", "event_name", "event_format", "event_version", "event_fingerprint", "true_tstamp",
    ]

    [event]
    app = "app_id"
    id = "event_id"
    trigger = "unstruct_event.data.data.trigger"
    channel = "unstruct_event.data.data.channel"
    reason = "unstruct_event.data.data.reason"
    sdkVersion = "v_tracker"
    region = "geo_country"
    osVersion = "contexts.data[schema=iglu:com.snowplowanalytics.snowplow/mobile_context/*].data.osVersion"
    deviceModel = "contexts.data[schema=iglu:com.snowplowanalytics.snowplow/mobile_context/*].data.deviceModel"
    appVersion = "contexts.data[schema=iglu:com.snowplowanalytics.mobile/application/*].data.version"
    # The mobile trackers' id of the installation, else that of the browser or of the collector's cookie.
    device = [
      "contexts.data[schema=iglu:com.snowplowanalytics.snowplow/client_session/*].data.userId",
      "domain_userid", "network_userid",
    ]

    [event.stage]
    path = "event_name"
    values = [
      ["application_install", "check"], ["application_foreground", "check"],
      ["update_check", "check"], ["update_available", "available"],
      ["update_download_started", "downloadStarted"], ["update_downloaded", "downloadCompleted"],
      ["update_ready", "ready"], ["update_applied", "applied"], ["update_confirmed", "confirmed"],
      ["update_failed", "failed"], ["update_rolled_back", "rolledBack"],
    ]

    # By the device's clock as the collector mends it.
    [event.at]
    path = ["derived_tstamp", "collector_tstamp"]
    time = "2006-01-02 15:04:05"
    zone = "UTC"

    # A new build from the store runs as it came; else what the app names. An opening that names no release does not say what runs.
    [[event.release]]
    path = "contexts.data[schema=iglu:com.snowplowanalytics.mobile/application/*].data.version"
    prefix = "store:"
    when = "event_name"
    is = ["application_install"]
    [[event.release]]
    path = "unstruct_event.data.data.release"

    [event.platform]
    path = "contexts.data[schema=iglu:com.snowplowanalytics.snowplow/mobile_context/*].data.osType"
    values = [["ios", "ios"], ["android", "android"], ["iOS", "ios"], ["Android", "android"]]

    [event.network]
    path = "contexts.data[schema=iglu:com.snowplowanalytics.snowplow/mobile_context/*].data.networkType"
    values = [["wifi", "wifi"], ["mobile", "cellular"]]
    unlisted = "empty"
    """#)
}
